"""The strategies that ship with Taskmill."""
