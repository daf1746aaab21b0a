Feature: Submitting once
  Networks lose answers and clients try again. Neither may run the same work twice.

  Rule: At most one live job bears a unique key

    Example: The one where the same work is submitted twice
      Given the client submitted a job under the unique key "report-7"
      When the client submits a job under the unique key "report-7"
      Then the client gets the job that was there

    Example: The one where the first has ended
      Given the client submitted a job under the unique key "report-7"
      And Ada has claimed it
      And Ada has reported success
      When the client submits a job under the unique key "report-7"
      Then the client gets a new job

    Example: The one where the key names other work
      Given the client submitted a job under the unique key "report-7"
      When the client submits a job of type "paint" under the unique key "report-7"
      Then the submit is refused because the key is taken

  Rule: A submit that is sent again is answered as the first time

    Example: The one where the answer was lost and the job has run since
      Given the client submitted a job in the letter "a"
      And Ada has claimed it
      And Ada has reported success
      When the client sends the letter "a" again
      Then the client gets the job that was there

    Example: The one where the letter says something else
      Given the client submitted a job in the letter "a"
      When the client submits a job of type "paint" in the letter "a"
      Then the submit is refused because the letter was another
