/**
 * What people are told, as data. `{slot}` is a value that came with the failure; `[text with {slot}|otherwise]` is said
 * only when its slots have values. A remedy may depend on the container runtime, and on the platform below that.
 */
export interface CatalogueEntry {
  readonly usualStage: 'CheckingRuntime' | 'GettingImage' | 'Creating' | 'Starting';
  readonly message: string;
  readonly remedy: { readonly other: string; readonly [runtimeOrPlatform: string]: string };
}

export const FAILURE_CATALOGUE = {
  NotInstalled: {
    usualStage: 'CheckingRuntime',
    message: '{runtime} was not found on this machine[ (looked at {endpoint})]',
    remedy: {
      other:
        'Install {runtime}, or choose another container runtime under spec.runtime.kind of Settings/default. It is tried again by itself.',
    },
  },
  NotRunning: {
    usualStage: 'CheckingRuntime',
    message: '{runtime} is installed, but nothing answers[ at {endpoint}]',
    remedy: {
      other: 'Start {runtime}. It is tried again by itself.',
      Docker: 'Start it with "sudo systemctl start docker", or open Docker Desktop. It is tried again by itself.',
      'Docker/darwin': 'Open Docker Desktop. It is tried again by itself.',
      'Docker/win32': 'Open Docker Desktop. It is tried again by itself.',
      Podman:
        'Start its service with "systemctl --user start podman.socket" ("sudo systemctl start podman.socket" for the one of the system). It is tried again by itself.',
      'Podman/darwin': 'Start its virtual machine with "podman machine start". It is tried again by itself.',
      'Podman/win32': 'Start its virtual machine with "podman machine start". It is tried again by itself.',
    },
  },
  PermissionDenied: {
    usualStage: 'CheckingRuntime',
    message: '{runtime} is there, but your user may not use it[: {detail}]',
    remedy: {
      other: 'Give your user the right to use {runtime}.',
      Docker: 'Add your user to its group with "sudo usermod -aG docker $USER", then log out and in again.',
      Podman:
        'See that /etc/subuid and /etc/subgid hold a range for your user ("sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $USER"), then run "podman system migrate".',
    },
  },
  VersionTooOld: {
    usualStage: 'CheckingRuntime',
    message: '{runtime}[ {version}] is too old[; {minimum} or newer is needed]',
    remedy: { other: 'Upgrade {runtime}[ to {minimum} or newer].' },
  },
  ImageNotFound: {
    usualStage: 'GettingImage',
    message: '[image {reference}|the image] does not exist, neither here nor where it should come from',
    remedy: {
      other:
        'Check spec.image.reference for a slip. Build the image, load it from a file, or name an archive with source: Archive.',
    },
  },
  ImagePullFailed: {
    usualStage: 'GettingImage',
    message: '[image {reference}|the image] could not be fetched[: {detail}]',
    remedy: {
      other: 'Check the network and your sign-in to the registry. Without a registry, load the image from a file.',
      Docker:
        'Check the network and your sign-in to the registry. Without a registry, bring the image in with "docker load -i FILE".',
      Podman:
        'Check the network and your sign-in to the registry. Without a registry, bring the image in with "podman load -i FILE".',
    },
  },
  PortUnavailable: {
    usualStage: 'Starting',
    message: '[port {port}|a port that it publishes] is used by another program',
    remedy: { other: 'Stop what uses [port {port}|the port], or publish another one under spec.network.ports.' },
  },
  MountRejected: {
    usualStage: 'Creating',
    message: '[{path}|a path that it needs] cannot be mounted into it[: {detail}]',
    remedy: {
      other:
        'See that [{path}|the path] exists and that {runtime} may share it; network and FUSE file systems often cannot be. Otherwise move the project, or take it out of the sandbox.',
    },
  },
  LimitRejected: {
    usualStage: 'Creating',
    message: '{runtime} refused [the {limit} limit|one of its limits][: {detail}]',
    remedy: { other: 'Change [the {limit} limit|the limit] under spec.limits, or set it to EngineDefault.' },
  },
  SandboxStopped: {
    usualStage: 'Starting',
    message: '[its container {name}|its container] was stopped or removed from outside',
    remedy: { other: 'Nothing: it is started again by itself. If it stays stopped, restart it.' },
  },
  Timeout: {
    usualStage: 'Starting',
    message: '[{operation}|a step] did not end in time',
    remedy: { other: 'It is tried again by itself. If it happens again and again, restart {runtime}.' },
  },
  Unknown: {
    usualStage: 'Creating',
    message: '[{runtime} said: {detail}|{runtime} refused without saying why]',
    remedy: { other: 'It is tried again by itself. All that {runtime} said is in status.failure.detail.' },
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;
