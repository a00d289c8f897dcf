import { afterAll, vi } from 'vitest'

/**
 * Many test files share one process. Therefore, each file gets fresh modules, and `afterAll` restores mocks and
 * environment variables.
 */
vi.resetModules()
const { closeTestDeployments: closeStages } = await import('./harness.ts')
const env = { ...process.env }

afterAll(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  for (const name of Object.keys(process.env)) if (!(name in env)) Reflect.deleteProperty(process.env, name)
  Object.assign(process.env, env)
  // Closes every Worker of the file, including the Workers of a hook that timed out.
  await closeStages()
}, 60_000)
