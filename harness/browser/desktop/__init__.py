"""The X display on which PyAutoGUI acts: server, window, input and clipboard."""
