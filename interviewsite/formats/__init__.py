"""How dates are written in languages where Django leaves it to English."""
