"""The link to Home Assistant: publishes the table's state to an MQTT broker."""
