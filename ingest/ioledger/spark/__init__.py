"""The build on Spark: past what one machine holds. Needs the extra ``spark``; nothing else imports this package."""
