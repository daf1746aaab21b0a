Feature: Claiming by priority
  Workers take what matters most, and never what another has.

  Rule: Higher priority runs first

    Example: The one where the urgent job was submitted last
      Given the client submitted jobs with priorities 1, 5 and 9
      When Ada claims everything
      Then she gets the priorities 9, 5 and 1

  Rule: Among equals the job that became due first runs first

    Example: The one where three jobs were submitted one after another
      Given the client submitted 3 jobs a second apart
      When Ada claims everything
      Then she gets them in the order in which they were submitted

  Rule: A job goes to one worker only

    Example: The one where two workers want the same job
      Given the client submitted a job
      And Ada has claimed it
      When Bob claims a job
      Then Bob gets nothing

  Rule: A worker gets no more than it asks for

    Example: The one where there is more than enough
      Given the client submitted jobs with priorities 1, 5 and 9
      When Ada claims 2 jobs
      Then she gets the priorities 9 and 5

  Rule: A worker gets only what it can run

    Example: The one where the urgent job needs another worker
      Given the client submitted a job of type "paint" with priority 9
      And the client submitted a job of type "print" with priority 1
      When Ada, who can only "print", claims everything
      Then she gets the priority 1

    Example: The one where a worker serves one queue
      Given the client submitted a job to the queue "mail"
      And the client submitted a job to the queue "video"
      When Ada claims everything from the queue "mail"
      Then she gets the job from the queue "mail"
