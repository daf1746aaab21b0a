Feature: Strategies
  What a job does is its strategy's business; adding one takes no change to Taskmill.

  Rule: A job is run by the strategy of its type

    Example: The one where two strategies share a worker
      Given the client submitted a job of type "shout" that says "hello"
      When Ada works with strategies of her own
      Then the job is succeeded
      And its result is "HELLO"

  Rule: A strategy may be plain or asynchronous

    Example: The one that is a plain function
      Given the client submitted a job of type "spell" that says "abc"
      When Ada works with strategies of her own
      Then its result is "a-b-c"

  Rule: A strategy that raises has failed, and is tried again

    Example: The one that never works
      Given the client submitted a job of type "stumble" that says "ouch"
      When Ada works with strategies of her own
      Then the job is failed
      And it was attempted 2 times
      And its failure is a "RuntimeError"

  Rule: A strategy can say that trying again is no use

    Example: The one that knows better
      Given the client submitted a job of type "refuse" that says "no"
      When Ada works with strategies of her own
      Then the job is failed
      And it was attempted 1 times

  Rule: A result that cannot be kept ends the job all the same

    Example: The one that returns what no document can hold
      Given the client submitted a job of type "riddle" that says "what"
      When Ada works with strategies of her own
      Then the job is failed
      And its failure is a "result_invalid"
