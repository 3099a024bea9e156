/** What holds where neither a sandbox nor its template says anything. Documentation and merging both read it. */
export const SANDBOX_DEFAULTS = {
  image: { reference: 'localhost/berth/sandbox:dev', source: 'LocalBuild', pullPolicy: 'IfNotPresent' },
  imageSource: 'Registry',
  mountPath: 'SamePath',
  dedicatedMountPath: '/workspace',
  limits: { cpus: 2, memory: '4Gi', processes: 512, storage: 'EngineDefault' },
  network: { mode: 'NoOutbound' },
  idle: { timeout: '30m', whileWorking: 'Stop' },
  keepRunning: false,
  volumeIgnoresStrategy: 'Anonymous',
  user: 'Host',
  reclaimPolicy: 'Delete',
  state: 'Running',
} as const;
