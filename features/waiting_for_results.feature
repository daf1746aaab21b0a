Feature: Waiting for results
  A client can ask for a job's end instead of asking again and again.

  Rule: Whoever waits for a job is told as soon as it ends

    Example: The one where the worker is quick
      Given the client submitted a job
      And Ada has claimed it
      And the client waits for its end
      When Ada reports success
      Then the client is told that the job is succeeded

  Rule: Nobody waits longer than they want to

    Example: The one where nothing happens
      Given the client submitted a job
      When the client waits a moment for its end
      Then the client is told that the job is pending

  Rule: A worker that waits for work gets it as soon as there is some

    Example: The one where the job comes later
      Given Ada waits for work
      When the client submits a job
      Then Ada gets the job she waited for
