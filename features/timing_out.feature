Feature: Timing out
  Nothing stays stuck: whatever happens to a worker, its jobs come back.

  Rule: A job that shows no sign of life for 30 seconds is taken back

    Example: The one where the worker vanished
      Given the client submitted a job
      And Ada has claimed it
      When 30 seconds pass
      Then the job is pending
      And it has failed 1 time

    Example: The one where a moment is left
      Given the client submitted a job
      And Ada has claimed it
      When 29 seconds pass
      Then the job is running

  Rule: A job that times out too often has failed

    Example: The one that is stuck twice
      Given the client submitted a job
      And Ada has let it time out
      And Bob has claimed it
      When 30 seconds pass
      Then the job is failed
      And its failure is a "timeout"

  Rule: No sign of life buys more time than an attempt may take

    Example: The one that beats for ever
      Given the client submitted a job that may run for 40 seconds
      And Ada has claimed it
      And Ada has sent a heartbeat after 25 seconds
      When 15 seconds pass
      Then the job is pending
      And its failure is a "timeout"
