Feature: Demo mode
  Whoever is curious sees the whole system work before installing anything. Without a database it
  behaves as it does with one, only forgetful: these examples hold with and without.

  Rule: A job goes all the way from the client to a worker and back

    Example: The one that prints a greeting
      Given the client submitted a job of type "print" that says "hello"
      When Ada works with the strategies that ship
      Then the job is succeeded
      And "hello" was printed

  Rule: What goes wrong goes wrong in the same way

    Example: The one with a message for a type that nobody runs
      Given the client submitted a job of type "unheard-of" that says "hello"
      When Ada claims a job
      Then Ada gets nothing
      And the job is pending
