import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  endGroup,
  isGroupPaused,
  mayEndGroup,
  pauseGroup,
  readStartTime,
  resumeGroup,
} from '../../../scripts/lib/process-group.ts'

// Linux also has the programs that the code for macOS runs, so both variants run there.
const PLATFORMS: readonly NodeJS.Platform[] = process.platform === 'linux' ? ['linux', 'darwin'] : [process.platform]
const hasTools = ['ps', 'lsof'].every((tool) => spawnSync(tool, ['-v']).error === undefined)

/** Prints the id of a member of its own process group, ignores SIGTERM, and leaves the member running when it ends. */
const LEADER_SCRIPT = `
  const { spawn } = require('node:child_process')
  const script = "process.on('SIGTERM', () => {}); process.send('ready'); setTimeout(() => {}, 60000)"
  const member = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  member.on('message', () => process.send(member.pid))
  process.on('message', () => process.exit())
`

describe.skipIf(!hasTools).each(PLATFORMS)('process groups on %s', (platform) => {
  let folder: string
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'group-')))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  async function startGroup(): Promise<{ leader: ChildProcess; pid: number; memberPid: number }> {
    const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const
    const leader = spawn(process.execPath, ['-e', LEADER_SCRIPT], { cwd: folder, detached: true, stdio: [...stdio] })
    const [memberPid] = (await once(leader, 'message')) as [number]
    return { leader, pid: leader.pid ?? 0, memberPid }
  }

  test('are paused with all members, and continue', async () => {
    const { leader, pid, memberPid } = await startGroup()
    expect(isGroupPaused(pid, platform)).toBe(false)
    expect(await pauseGroup(pid, Infinity, platform)).toBe(true)
    expect(isGroupPaused(pid, platform)).toBe(true)
    process.kill(memberPid, 'SIGCONT')
    await expect.poll(() => isGroupPaused(pid, platform)).toBe(false)
    resumeGroup(pid)
    leader.send('exit')
    await once(leader, 'exit')
    await endGroup(pid, 0, platform)
  })

  test('are identified by the start time of their leader in any locale and time zone', async () => {
    const { pid } = await startGroup()
    const startedAt = readStartTime(pid, platform) ?? ''
    expect(startedAt).not.toBe('')
    process.env['TZ'] = 'Asia/Tokyo'
    expect(readStartTime(pid, platform)).toBe(startedAt)
    delete process.env['TZ']
    expect(mayEndGroup({ pid, startedAt }, folder, platform)).toBe(true)
    expect(mayEndGroup({ pid, startedAt: 'another time' }, folder, platform)).toBe(false)
    await endGroup(pid, 0, platform)
    expect(readStartTime(pid, platform)).toBeNull()
  })

  test('end with all members, also if the leader has exited and the members ignore SIGTERM', async () => {
    const { leader, pid, memberPid } = await startGroup()
    const group = { pid, startedAt: readStartTime(pid, platform) ?? '' }
    leader.send('end')
    await once(leader, 'exit')
    expect([readStartTime(pid, platform), readStartTime(memberPid, platform)]).toEqual([null, expect.any(String)])
    expect(mayEndGroup(group, '/another/folder', platform)).toBe(false)
    expect(mayEndGroup(group, folder, platform)).toBe(true)
    await endGroup(pid, 100, platform)
    expect(readStartTime(memberPid, platform)).toBeNull()
  })
})
