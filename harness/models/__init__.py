"""Models behind one small interface, whatever their provider."""
