# What there is to do with a checkout. Each target is a script that can be run by itself.
.PHONY: help up down test

help:
	@echo 'make up     get Berth running with the quick start: a project, a sandbox and a shell in it'
	@echo 'make down   undo what "make up" did, and nothing else'
	@echo 'make test   run every check and every test; needs Docker and Podman, and gets them where it may'

up:
	@scripts/up.sh

down:
	@scripts/down.sh

test:
	@scripts/test.sh
