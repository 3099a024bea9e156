import { containerPaused, containerStopped, imageNotFound, mountRejected, nameTaken } from '../errors';
import type { ContainerApi, ContainerSpec } from '../runtime';
import { FakeContainer } from './container';
import type { FakeEngine } from './engine';

export function fakeContainers(engine: FakeEngine): ContainerApi {
  return {
    observe: (ref, options) =>
      engine.query('containers.observe', options?.signal, () => {
        return engine.find(ref)?.present(engine.probe.notEchoed) ?? { present: false };
      }),
    list: (labels, options) =>
      engine.query('containers.list', options?.signal, () =>
        [...engine.containers.values()]
          .filter((container) => container.hasLabels(labels))
          .map((container) => container.present(engine.probe.notEchoed)),
      ),
    create: (spec, options) => engine.effect('containers.create', options?.signal, () => create(engine, spec)),
    start: (id, options) =>
      engine.effect('containers.start', options?.signal, () => {
        const container = engine.container(id);
        if (container.running) return;
        checkSources(engine, container.spec);
        container.begin(engine.timestamp());
        engine.emit(container);
      }),
    stop: (id, options) =>
      engine.effect('containers.stop', options.signal, () => {
        const container = engine.find(id);
        if (!container?.running) return;
        container.end(143);
        engine.emit(container);
      }),
    remove: (id, options) =>
      engine.effect('containers.remove', options?.signal, () => {
        if (engine.find(id)) engine.disappear(id);
      }),
  };
}

function create(engine: FakeEngine, spec: ContainerSpec): string {
  const image = [...engine.images.values()].find((known) => known.id === spec.imageId);
  if (!image) throw imageNotFound(spec.imageId, `No such image: ${spec.imageId}`);
  if (engine.find(spec.name)) throw nameTaken(spec.name, `The name "${spec.name}" is already in use`);
  checkSources(engine, spec);
  const container = new FakeContainer(engine.newId(), structuredClone(spec), image.environment);
  for (const { type, source } of spec.mounts) {
    if (type === 'volume' && !engine.volumes.has(source)) engine.volumes.set(source, {});
  }
  engine.containers.set(container.id, container);
  engine.emit(container);
  return container.id;
}

function checkSources(engine: FakeEngine, spec: ContainerSpec): void {
  for (const { type, source } of spec.mounts) {
    if (type === 'bind' && !engine.sourceExists(source)) {
      throw mountRejected(source, `bind source path does not exist: ${source}`);
    }
  }
}

/** What execs need: there, running, and not paused. */
export function runningContainer(engine: FakeEngine, id: string): FakeContainer {
  const container = engine.container(id);
  if (!container.running) throw containerStopped(container.name, `Container ${container.name} is not running`);
  if (container.paused) throw containerPaused(container.name, `Container ${container.name} is paused`);
  return container;
}
