"""Read the commands of programs that send requests: curl, HTTPie, wget and PowerShell."""
