Feature: Cancelling
  Whoever called a job off can rely on it.

  Rule: A job that nobody runs is cancelled at once

    Example: The one that waits
      Given the client submitted a job
      When an operator cancels it
      Then the job is cancelled

    Example: The one that was for later
      Given the client submitted a job to run in 60 seconds
      And an operator has cancelled it
      When 60 seconds pass
      Then the job is cancelled

  Rule: The worker of a running job is asked to stop

    Example: The one where the worker hears of it
      Given the client submitted a job
      And Ada has claimed it
      And an operator has cancelled it
      When Ada sends a heartbeat
      Then Ada is told to stop
      And the job is running

    Example: The one where the worker stops
      Given the client submitted a job
      And Ada has claimed it
      And an operator has cancelled it
      When Ada reports that she stopped
      Then the job is cancelled

    Example: The one where it fails instead
      Given the client submitted a job
      And Ada has claimed it
      And an operator has cancelled it
      When Ada reports a failure
      Then the job is cancelled

    Example: The one where it was done already
      Given the client submitted a job
      And Ada has claimed it
      And an operator has cancelled it
      When Ada reports success
      Then the job is succeeded

    Example: The one where the worker is lost
      Given the client submitted a job
      And Ada has claimed it
      And an operator has cancelled it
      When 30 seconds pass
      Then the job is cancelled

  Rule: What has ended cannot be cancelled

    Example: The one that has succeeded
      Given the client submitted a job
      And Ada has claimed it
      And Ada has reported success
      When an operator cancels it
      Then the operator is told that it cannot be done
      And the job is succeeded

    Example: The one that is cancelled twice
      Given the client submitted a job
      And an operator has cancelled it
      When an operator cancels it
      Then the job is cancelled
