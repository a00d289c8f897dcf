import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DATA_FORMAT, requireSupportedData, writeDataVersion } from '../../../scripts/lib/data-version.ts'
import { findFreePort } from '../../../scripts/lib/ports.ts'
import { createTestFolder, digestFolder } from '../../support/backups.ts'
import { launchPorchlight } from '../../support/porchlight.ts'

let data: string
beforeEach(() => {
  data = createTestFolder()
})
afterEach(() => rmSync(data, { recursive: true }))

test('npm start refuses a data folder of a newer version before it writes anything', async () => {
  writeFileSync(join(data, 'version.json'), JSON.stringify({ format: DATA_FORMAT + 1, app: '9.0.0' }))
  const before = digestFolder(data)
  const run = launchPorchlight(data, await findFreePort(), ['--fresh'])
  expect(await once(run.child, 'close')).toEqual([1, null])
  expect(run.lines.join('\n')).toContain(`Porchlight 9.0.0 wrote the data folder ${data}`)
  expect(digestFolder(data)).toBe(before)
})

test('the version of a folder without version.json is supported, and is then stored', () => {
  requireSupportedData(data)
  writeDataVersion(data)
  expect(JSON.parse(readFileSync(join(data, 'version.json'), 'utf8'))).toMatchObject({ format: DATA_FORMAT })
  requireSupportedData(data)
})

test('a damaged version.json is reported with its name', () => {
  writeFileSync(join(data, 'version.json'), '{"format":')
  expect(() => requireSupportedData(data)).toThrow('version.json is damaged')
})
