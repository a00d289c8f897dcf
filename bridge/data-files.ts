import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { checkSealingKey } from './setup/sealing-key.ts'
import { checkCameras } from './cameras/camera-file.ts'
import { readIdentity } from './uplink/bridge-identity.ts'

/**
 * Checks every file that the bridge needs to start, and changes none. Throws an Error that names the file and a remedy.
 * Skips missing files, `choices.json` and `pasts.json`, which the bridge creates or replaces.
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
      `${path} cannot be read as a folder: ${error.message}. Recordings wait there for the provider. Move it away, or make it readable for you, then start again.`,
    )
  })
}
