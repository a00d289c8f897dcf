import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readStartTime } from '../process-group.ts'

/**
 * Folder inside the data folder in which a backup collects its files. The name contains the process id and the start
 * time of the process, because process ids are used again after a restart of the computer.
 */
const STAGING = /^backing-up-(\d+)-(.*)$/

const toFolderName = (startTime: string): string => startTime.replace(/\W+/g, '-')

export const getStagingFolder = (data: string): string =>
  join(data, `backing-up-${process.pid}-${toFolderName(readStartTime(process.pid) ?? '')}`)

function isUsed(name: string): boolean {
  const [, pid = '0', startTime = ''] = STAGING.exec(name) ?? []
  const current = readStartTime(Number(pid))
  return current !== null && toFolderName(current) === startTime
}

const listStagingFolders = (data: string): string[] =>
  existsSync(data) ? readdirSync(data).filter((name) => STAGING.test(name)) : []

/** Returns true while a process backs up the data folder. */
export const hasBackupInProgress = (data: string): boolean => listStagingFolders(data).some(isUsed)

/** Deletes the folders of backups that were killed. Their links to clips would prevent that deleted clips free space. */
export async function deleteStagingLeftovers(data: string): Promise<void> {
  for (const name of listStagingFolders(data))
    if (!isUsed(name)) await rm(join(data, name), { recursive: true, force: true })
}
