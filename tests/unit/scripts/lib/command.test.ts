import { afterEach, expect, test, vi } from 'vitest'
import { formatBareCommand, formatCommand } from '../../../../scripts/lib/command.ts'

afterEach(() => vi.unstubAllEnvs())

test.each([
  ['restore', 'reconcile', 'npm run reconcile', 'npm run reconcile --'],
  ['start', 'reconcile', 'npm run reconcile', 'npm run reconcile --'],
  ['reconcile', 'start', 'npm start', 'npm start --'],
  ['clock', 'start', 'npm start', 'npm start --'],
  // There is no npm script for this command.
  ['start', 'camera', 'porchlight camera', 'porchlight camera'],
  ['npx', 'reconcile', 'porchlight reconcile', 'porchlight reconcile'],
  ['test', 'start', 'porchlight start', 'porchlight start'],
  ['', 'reconcile', 'porchlight reconcile', 'porchlight reconcile'],
])('a message of "%s" names the command %s as the user calls it', (event, name, bare, withOptions) => {
  vi.stubEnv('npm_lifecycle_event', event)
  expect([formatBareCommand(name), formatCommand(name)]).toEqual([bare, withOptions])
})
