import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'

/** Command of a test step. The commands of one step run in parallel. */
export interface TestCommand {
  readonly command: readonly [string, ...string[]]
  readonly env?: NodeJS.ProcessEnv
}
export interface TestStep {
  readonly name: string
  readonly commands: readonly TestCommand[]
}

/** Result of a step. `cpuSeconds` is null if the system does not report it. */
export interface StepResult {
  readonly name: string
  readonly passed: boolean
  readonly seconds: number
  readonly cpuSeconds: number | null
}

/** Runs a step, and shows the output of its commands on the terminal. */
export async function runStep({ name, commands }: TestStep, root: string, env: NodeJS.ProcessEnv): Promise<StepResult> {
  console.log(`\n== ${name}`)
  const [started, cpuBefore] = [performance.now(), readChildrenCpuSeconds()]
  const run = async ({ command: [program, ...args], env: commandEnv }: TestCommand) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env, ...commandEnv } })
    const [status] = (await once(child, 'close')) as [number | null]
    return status === 0
  }
  const passed = (await Promise.all(commands.map(run))).every(Boolean)
  const cpuAfter = readChildrenCpuSeconds()
  const result = {
    name,
    passed,
    seconds: (performance.now() - started) / 1000,
    cpuSeconds: cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore,
  }
  console.log(`== ${describeStep(result)}`)
  return result
}

export function describeStep({ name, passed, seconds, cpuSeconds }: StepResult): string {
  const cpu = cpuSeconds === null ? '' : `, ${cpuSeconds.toFixed(0)} CPU seconds`
  return `${name}: ${seconds.toFixed(0)} s${cpu}${passed ? '' : ', FAILED'}`
}

/**
 * Returns the CPU seconds of all ended child processes, from `cutime` and `cstime` of /proc/self/stat, whose unit is
 * 1/100 s. Returns null on a system without this file.
 */
function readChildrenCpuSeconds(): number | null {
  if (!existsSync('/proc/self/stat')) return null
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}
