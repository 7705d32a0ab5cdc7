"""What is given to people: locks, licences, and what ``make release`` builds."""
