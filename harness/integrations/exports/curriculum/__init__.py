"""A curriculum: lessons in three stages out of what was done on websites and forms (AutoWebGLM, section 2.3)."""
