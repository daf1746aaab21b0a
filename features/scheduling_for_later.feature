Feature: Scheduling for later
  Some work must not begin before its time.

  Rule: A job does not start before it is due

    Example: The one for tomorrow
      Given the client submitted a job to run in 86400 seconds
      When Ada claims a job
      Then Ada gets nothing
      And the job is scheduled

  Rule: A job can be claimed as soon as it is due

    Example: The one whose minute has come
      Given the client submitted a job to run in 60 seconds
      When 60 seconds pass
      Then the job is pending

  Rule: A job for later holds up nobody, however urgent it is

    Example: The one with the highest priority of all
      Given the client submitted a job with priority 32767 to run in 60 seconds
      And the client submitted a job with priority 1
      When Ada claims everything
      Then she gets the priority 1

  Rule: A job can be due at a time or after a delay, not both

    Example: The one that wants both
      When the client submits a job with a time and a delay
      Then the submit is refused because of its "delay"
