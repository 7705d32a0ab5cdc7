"""What a home's Home Assistant hears of the table, by MQTT."""
