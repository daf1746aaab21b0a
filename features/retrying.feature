Feature: Retrying failed jobs
  Most failures pass. A job is given another chance, but not for ever.

  Rule: A failed job is retried once unless told otherwise

    Example: The one where the first attempt fails
      Given the client submitted a job
      And Ada has claimed it
      When Ada reports a failure
      Then the job is pending
      And it has failed 1 time

    Example: The one where both attempts fail
      Given the client submitted a job
      And it has failed once
      And Ada has claimed it
      When Ada reports a failure
      Then the job is failed
      And it was attempted 2 times

  Rule: The client says how often a job may fail

    Example: The one that may fail only once
      Given the client submitted a job that may fail 1 time
      And Ada has claimed it
      When Ada reports a failure
      Then the job is failed

  Rule: A failure that no retry can mend is final

    Example: The one where the worker knows better
      Given the client submitted a job
      And Ada has claimed it
      When Ada reports a failure that is final
      Then the job is failed

  Rule: A job waits before it is retried, longer each time

    Example: The one that waits a minute, then two
      Given the client submitted a job that waits 60 seconds and may fail 5 times
      When it fails again and again
      Then it waits 60, 120 and 240 seconds

  Rule: A retried job takes its place behind those that were due before

    Example: The one where a failing job does not hold up the others
      Given the client submitted 3 jobs a second apart
      And Ada has claimed the first and failed
      When Bob claims everything
      Then he gets the second, the third and then the first

  Rule: What went wrong is there to be read

    Example: The one where the error is kept while the job waits
      Given the client submitted a job
      And Ada has claimed it
      When Ada reports a failure
      Then the job tells of that failure

    Example: The one where a success makes up for it
      Given the client submitted a job
      And it has failed once
      And Ada has claimed it
      When Ada reports success
      Then the job is succeeded
      And it tells of no failure
