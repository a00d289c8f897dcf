import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Runs a program without blocking the event loop. A blocked event loop would not notice that a Worker closes an idle
 * connection.
 */
export const execFileAsync = promisify(execFile)

/**
 * Returns the files of a ZIP archive by name, in archive order. `unzip` and Python's `zipfile` both verify the archive
 * and its CRCs.
 */
export async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const folder = mkdtempSync(join(tmpdir(), 'porchlight-zip-'))
  try {
    writeFileSync(join(folder, 'all.zip'), bytes)
    await execFileAsync('unzip', ['-tq', 'all.zip'], { cwd: folder })
    const script = `import zipfile, json
z = zipfile.ZipFile('all.zip'); assert z.testzip() is None
for i, n in enumerate(z.namelist()): open(str(i), 'wb').write(z.read(n))
json.dump(z.namelist(), open('names', 'w'))`
    await execFileAsync('python3', ['-c', script], { cwd: folder })
    const names = JSON.parse(readFileSync(join(folder, 'names'), 'utf8')) as string[]
    return new Map(names.map((name, i) => [name, readFileSync(join(folder, String(i)))]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
