"""What the answers of a class come to: from the results of its students to plain values that pages show."""
