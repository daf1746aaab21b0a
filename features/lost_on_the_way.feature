Feature: Lost on the way
  Answers get lost between a scheduler and its workers. That must cost neither jobs nor tries.

  Rule: A claim that is asked for again gives the same jobs

    Example: The one where the answer was lost
      Given the client submitted 3 jobs a second apart
      And Ada has claimed 2 jobs in the letter "c"
      When Ada claims 2 jobs in the letter "c"
      Then she gets the same jobs

  Rule: A job that its worker never received goes to another

    Example: The one that Ada does not know of
      Given the client submitted a job that may run for 600 seconds
      And Ada has claimed it
      And 11 seconds have passed
      When Ada sends a heartbeat for nothing
      Then the job is pending
      And it has failed 0 times

    Example: The one that may still be on its way
      Given the client submitted a job that may run for 600 seconds
      And Ada has claimed it
      When Ada sends a heartbeat for nothing
      Then the job is running

  Rule: A worker that signs off hands back what it still holds

    Example: The one that shuts down in the middle of a claim
      Given the client submitted a job
      And Ada has claimed it
      When Ada signs off
      Then the job is pending
      And it has failed 0 times
