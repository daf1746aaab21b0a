Feature: Workers
  An operator can see who is there.

  Rule: A worker is known by its calls

    Example: The one that just asked for work
      When Ada claims a job
      Then Ada is listed as active

  Rule: A worker that falls silent is shown as lost, and later not at all

    Example: The one that was silent for two minutes
      Given Ada has asked for work
      When 120 seconds pass
      Then Ada is listed as lost

    Example: The one that was silent for six minutes
      Given Ada has asked for work
      When 360 seconds pass
      Then Ada is not listed

  Rule: A worker that signs off is gone

    Example: The one that says goodbye
      Given Ada has asked for work
      When Ada signs off
      Then Ada is not listed
