/**
 * `node bridge/check-files.ts DIR`: checks the bridge's files in a data folder. Exits with 1 if `checkFiles` throws.
 */
import { maskCredentials, getErrorMessage } from './runtime/log.ts'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { checkSealingKey } from './setup/sealing-key.ts'
import { checkCameras } from './cameras/camera-file.ts'
import { readIdentity } from './uplink/bridge-identity.ts'

try {
  await checkFiles(process.argv[2] ?? '')
} catch (error) {
  process.stderr.write(`${maskCredentials(getErrorMessage(error))}\n`)
  process.exitCode = 1
}

/**
 * Checks the key files, the camera list and the queue folders in the data folder, and changes none of them. Throws a
 * user-facing Error if one of them is damaged or unreadable, or if `bridge.key` is missing. Ignores `choices.json` and
 * `pasts.json`, which the bridge can replace.
 */
export async function checkFiles(data: string): Promise<void> {
  await readIdentity(data)
  await checkCameras(data)
  await checkSealingKey(data)
  for (const name of ['queue', 'queue/recording', 'queue/refused']) await checkFolder(join(data, name))
}

async function checkFolder(path: string): Promise<void> {
  await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return
    throw new Error(
      `${path} can't be read as a folder: ${error.message}. It may contain recordings. Move it or make it readable, then start the hub again.`,
    )
  })
}
