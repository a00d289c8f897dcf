import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { planLanes } from './lanes.ts'
import { anyFreePort } from './ports.ts'
import { REPORTS } from './reports.ts'
import { type TestPlan, VITEST_PROJECTS, type VitestProject } from './test-plan.ts'
import { filesWithRows, selectTests, testFiles, titlePattern } from './test-selection.ts'
import type { TestCommand, TestStep } from './test-steps.ts'
import { readTestDurations } from './times.ts'

const bin = (root: string, name: string): string => join(root, 'node_modules/.bin', name)
const SPECS = 'tests/e2e/'

export async function stepsFor(root: string, plan: TestPlan): Promise<TestStep[]> {
  const { check, projects, rowsOnly, related, browser } = plan
  const env = { TEST_TIER: plan.tier.join(',') }
  const steps: TestStep[] = []
  const add = (name: string, ...commands: readonly TestCommand[]) =>
    steps.push({ name, commands: commands.map((command) => ({ ...command, env: { ...env, ...command.env } })) })
  if (check !== null) add('check', { command: [process.execPath, 'scripts/check.ts', ...check] })
  if (projects.length > 0) add('vitest', vitest(root, REPORTS.vitest.whole, inProjects(projects)))
  const rows = filesWithRows(root, listProjectFiles(root, rowsOnly))
  if (rows.length > 0) add('vitest: rows', vitest(root, REPORTS.vitest.part, rows))
  const others = VITEST_PROJECTS.filter((project) => !projects.includes(project))
  if (related.length > 0 && others.length > 0)
    add('vitest: related', vitest(root, REPORTS.vitest.part, [...inProjects(others), ...related], 'related'))
  if (browser !== 'none') add('browser', ...(await browserCommands(root, browser === 'all' ? allSpecs(root) : browser)))
  return steps
}

/** Returns the steps of `npm test -- words`. Long tests run too if their file name or title matches. */
export async function stepsForFilter(root: string, words: readonly string[]): Promise<TestStep[]> {
  const { whole, titled } = selectTests(root, testFiles(root), words)
  const isSpec = (file: string) => file.startsWith(SPECS)
  const title = titlePattern(words)
  const steps: TestStep[] = []
  const add = (name: string, ...commands: readonly TestCommand[]) =>
    steps.push({
      name,
      commands: commands.map((command) => ({ ...command, env: { TEST_TIER: 'all', ...command.env } })),
    })
  const [files, others] = [whole, titled].map((list) => list.filter((file) => !isSpec(file)))
  if (files?.length) add('vitest', vitest(root, REPORTS.vitest.whole, files))
  if (others?.length) add('vitest: titles', vitest(root, REPORTS.vitest.part, ['-t', title, ...others]))
  const specs = [...whole, ...titled].filter(isSpec).map((file) => file.slice(SPECS.length))
  if (specs.length > 0) add('browser', ...(await browserCommands(root, specs, ['-g', title])))
  return steps
}

/** Returns one command for each lane of the browser suite. Each lane starts its own Porchlight deployment. */
export async function browserCommands(
  root: string,
  specs: readonly string[],
  options: readonly string[] = [],
): Promise<TestCommand[]> {
  const times = readTestDurations(root)
  const commands: TestCommand[] = []
  for (const { folder, experiment, specs: own } of planLanes(specs, (spec) => times[SPECS + spec])) {
    const port = String(await anyFreePort())
    const env = { E2E_PORT: port, E2E_RESULTS: folder, ...(experiment !== null && { EXPERIMENT: experiment }) }
    commands.push({ command: [bin(root, 'playwright'), 'test', ...options, ...own.map((spec) => SPECS + spec)], env })
  }
  return commands
}

export const allSpecs = (root: string): string[] =>
  readdirSync(join(root, SPECS)).filter((name) => name.endsWith('.spec.ts'))

const inProjects = (projects: readonly VitestProject[]): string[] =>
  projects.flatMap((project) => ['--project', project])

const listProjectFiles = (root: string, projects: readonly VitestProject[]): string[] =>
  testFiles(root).filter((file) => projects.some((project) => file.startsWith(`tests/${project}/`)))

function vitest(root: string, report: string, args: readonly string[], mode: 'run' | 'related' = 'run'): TestCommand {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const begin = mode === 'run' ? ['run'] : ['related', '--run']
  return { command: [bin(root, 'vitest'), ...begin, '--passWithNoTests', ...reporters, ...args] }
}
