Feature: Trying again by hand
  What has failed for good can be sent round once more when its cause is gone.

  Rule: A failed job can be retried, with as many failures allowed as at first

    Example: The one that may fail twice again
      Given the client submitted a job
      And it has failed once
      And it has failed once
      When an operator retries it
      Then the job is pending
      And it has failed 0 times

  Rule: A job that is not over cannot be retried

    Example: The one that still waits
      Given the client submitted a job
      When an operator retries it
      Then the operator is told that it cannot be done

  Rule: Every attempt can be looked at

    Example: The one with a checkered past
      Given the client submitted a job that may fail 9 times
      And it has failed once
      And Ada has let it time out
      And Ada has claimed it
      When Ada hands it back
      Then its attempts ended as "failed, timeout, released"
