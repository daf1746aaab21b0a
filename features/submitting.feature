Feature: Submitting jobs
  A client hands work over and can rely on it from then on.

  Rule: A submitted job is kept and waits for a worker

    Example: The one where a client looks its job up
      When the client submits a job
      Then the job is pending
      And it was attempted 0 times

  Rule: A job that makes no sense is refused, and the fault is named

    Example: The one where the priority is out of range
      When the client submits a job with priority 40000
      Then the submit is refused because of its "priority"
      And there is no job

    Example: The one where the type has a blank in it
      When the client submits a job of type "two words"
      Then the submit is refused because of its "job_type"

    Example: The one that may fail no times at all
      When the client submits a job that may fail 0 times
      Then the submit is refused because of its "max_attempts"

    Example: The one with no time to run
      When the client submits a job that may run for 0 seconds
      Then the submit is refused because of its "timeout"

  Rule: What a job carries arrives as it was

    Example: The one with a number that no machine word holds
      Given the client submitted a job that carries a very large number
      When Ada claims a job
      Then she gets that number to the last digit
