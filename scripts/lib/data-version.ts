import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import packageJson from '../../package.json' with { type: 'json' }
import { StopError } from './stop.ts'

/**
 * Format of the data folder. Increase the number only if earlier versions cannot use the data: they then refuse the
 * folder. Added tables and columns do not change the format.
 */
export const DATA_FORMAT = 1
export const APP_VERSION = packageJson.version

const versionSchema = v.object({ format: v.pipe(v.number(), v.integer(), v.minValue(1)), app: v.string() })
export type DataVersion = v.InferOutput<typeof versionSchema>

const getVersionPath = (data: string) => join(data, 'version.json')

/**
 * Throws a `StopError` if a newer version wrote the data folder, or if `version.json` is damaged. Changes nothing. A
 * folder without the file is from before the file existed.
 */
export function requireSupportedData(data: string): void {
  const path = getVersionPath(data)
  if (!existsSync(path)) return
  const version = parseVersion(path)
  if (version.format > DATA_FORMAT)
    throw new StopError(
      `Porchlight ${version.app} wrote the data folder ${data}, and this version (${APP_VERSION}) can't read its format. Nothing was changed. Update Porchlight, or choose another folder with --data.`,
    )
}

function parseVersion(path: string): DataVersion {
  try {
    return v.parse(versionSchema, JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    throw new StopError(`${path} is damaged. If no newer version has used this data folder, delete the file.`)
  }
}

/** Stores format and version in `DATA/version.json`. The caller has checked the folder with `requireSupportedData`. */
export function writeDataVersion(data: string): void {
  const path = getVersionPath(data)
  const version: DataVersion = { format: DATA_FORMAT, app: APP_VERSION }
  writeFileSync(`${path}.new`, `${JSON.stringify(version)}\n`)
  renameSync(`${path}.new`, path)
}
