Feature: Leases
  A worker holds a job only for a while, and only as long as it shows signs of life.

  Rule: A heartbeat keeps the lease

    Example: The one where a long job is kept alive
      Given the client submitted a job that may run for 600 seconds
      And Ada has claimed it
      And Ada has sent a heartbeat after 25 seconds
      When 25 seconds pass
      Then the job is running

    Example: The one where the worker is lost in the middle of a long job
      Given the client submitted a job that may run for 600 seconds
      And Ada has claimed it
      When 30 seconds pass
      Then the job is pending
      And its failure is a "worker_lost"

  Rule: Only the worker that holds the lease may report an outcome

    Example: The one where a slow worker reports after losing its lease
      Given the client submitted a job
      And Ada has let it time out
      And Bob has claimed it
      When Ada reports success
      Then Ada is told that her lease is gone
      And the job is running

    Example: The one where a stranger reports
      Given the client submitted a job
      And Ada has claimed it
      When Bob reports success in her place
      Then Bob is told that his lease is gone
      And the job is running

  Rule: A worker that lost its lease learns so from its next heartbeat

    Example: The one where a frozen worker wakes up
      Given the client submitted a job
      And Ada has let it time out
      When Ada sends a heartbeat
      Then Ada is told that her lease is gone

  Rule: To report twice is to report once

    Example: The one where the answer was lost on the way
      Given the client submitted a job
      And Ada has claimed it
      And Ada has reported success
      When Ada reports success
      Then Ada is told that it counts
      And the job is succeeded

    Example: The one where the worker changes its mind
      Given the client submitted a job
      And Ada has claimed it
      And Ada has reported success
      When Ada reports a failure
      Then Ada is told that the job is settled
      And the job is succeeded

  Rule: A job handed back unrun is none the worse for it

    Example: The one where a worker shuts down
      Given the client submitted a job
      And Ada has claimed it
      When Ada hands it back
      Then the job is pending
      And it has failed 0 times

    Example: The one where it keeps its place in line
      Given the client submitted 3 jobs a second apart
      And Ada has claimed the first and handed it back
      When Bob claims everything
      Then he gets them in the order in which they were submitted
