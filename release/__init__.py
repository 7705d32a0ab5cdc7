"""What is given to people: the locks, the licences, and what ``make release`` builds."""
