Feature: Submitting many jobs at once
  Whoever has a thousand jobs should not have to ask a thousand times.

  Rule: A batch is kept in its order

    Example: The one with a hundred jobs
      When the client submits a batch of 100 jobs
      Then 100 jobs are pending
      And Ada claims them in the order of the batch

  Rule: A batch is stored together or not at all

    Example: The one with a fault in the middle
      When the client submits a batch whose job 2 has priority 40000
      Then the submit is refused because of the "priority" of job 2
      And there is no job
