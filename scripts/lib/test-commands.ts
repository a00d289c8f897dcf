import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { planPlaywrightRuns } from './lanes.ts'
import { findFreePort } from './ports.ts'
import { REPORT_FILES } from './reports.ts'
import { type TestPlan, VITEST_PROJECTS, type VitestProject } from './test-plan.ts'
import { findFilesWithRequirementIds, selectTests, listTestFiles, createTitlePattern } from './test-selection.ts'
import type { TestCommand, TestStep } from './test-steps.ts'
import { readTestDurations } from './times.ts'

const getBinPath = (root: string, name: string): string => join(root, 'node_modules/.bin', name)
const SPEC_FOLDER = 'tests/e2e/'

export async function planSteps(root: string, plan: TestPlan): Promise<TestStep[]> {
  const { check, projects, rowsOnly, related, browser } = plan
  const env = { TEST_TIER: plan.tier.join(',') }
  const steps: TestStep[] = []
  const addStep = (name: string, ...commands: readonly TestCommand[]) =>
    steps.push({ name, commands: commands.map((command) => ({ ...command, env: { ...env, ...command.env } })) })
  if (check !== null) addStep('check', { command: [process.execPath, 'scripts/check.ts', ...check] })
  if (projects.length > 0)
    addStep('vitest', createVitestCommand(root, REPORT_FILES.vitest.whole, listProjectOptions(projects)))
  const rows = findFilesWithRequirementIds(root, listProjectFiles(root, rowsOnly))
  if (rows.length > 0) addStep('vitest: rows', createVitestCommand(root, REPORT_FILES.vitest.part, rows))
  const otherProjects = VITEST_PROJECTS.filter((project) => !projects.includes(project))
  if (related.length > 0 && otherProjects.length > 0)
    addStep(
      'vitest: related',
      createVitestCommand(
        root,
        REPORT_FILES.vitest.part,
        [...listProjectOptions(otherProjects), ...related],
        'related',
      ),
    )
  if (browser !== 'none')
    addStep('browser', ...(await createBrowserCommands(root, browser === 'all' ? listSpecs(root) : browser)))
  return steps
}

/** Returns the steps of `npm test -- words`. Long tests run too if their file name or title matches. */
export async function planFilterSteps(root: string, words: readonly string[]): Promise<TestStep[]> {
  const { whole, titled } = selectTests(root, listTestFiles(root), words)
  const isSpec = (file: string) => file.startsWith(SPEC_FOLDER)
  const title = createTitlePattern(words)
  const steps: TestStep[] = []
  const addStep = (name: string, ...commands: readonly TestCommand[]) =>
    steps.push({
      name,
      commands: commands.map((command) => ({ ...command, env: { TEST_TIER: 'all', ...command.env } })),
    })
  const [files, others] = [whole, titled].map((list) => list.filter((file) => !isSpec(file)))
  if (files?.length) addStep('vitest', createVitestCommand(root, REPORT_FILES.vitest.whole, files))
  if (others?.length)
    addStep('vitest: titles', createVitestCommand(root, REPORT_FILES.vitest.part, ['-t', title, ...others]))
  const specs = [...whole, ...titled].filter(isSpec).map((file) => file.slice(SPEC_FOLDER.length))
  if (specs.length > 0) addStep('browser', ...(await createBrowserCommands(root, specs, ['-g', title])))
  return steps
}

/** Returns one command for each lane of the browser suite. Each lane starts its own Porchlight deployment. */
export async function createBrowserCommands(
  root: string,
  specs: readonly string[],
  options: readonly string[] = [],
): Promise<TestCommand[]> {
  const times = readTestDurations(root)
  const commands: TestCommand[] = []
  for (const { folder, experiment, specs: runSpecs } of planPlaywrightRuns(
    specs,
    (spec) => times[SPEC_FOLDER + spec],
  )) {
    const port = String(await findFreePort())
    const env = { E2E_PORT: port, E2E_RESULTS: folder, ...(experiment !== null && { EXPERIMENT: experiment }) }
    commands.push({
      command: [getBinPath(root, 'playwright'), 'test', ...options, ...runSpecs.map((spec) => SPEC_FOLDER + spec)],
      env,
    })
  }
  return commands
}

export const listSpecs = (root: string): string[] =>
  readdirSync(join(root, SPEC_FOLDER)).filter((name) => name.endsWith('.spec.ts'))

const listProjectOptions = (projects: readonly VitestProject[]): string[] =>
  projects.flatMap((project) => ['--project', project])

const listProjectFiles = (root: string, projects: readonly VitestProject[]): string[] =>
  listTestFiles(root).filter((file) => projects.some((project) => file.startsWith(`tests/${project}/`)))

function createVitestCommand(
  root: string,
  report: string,
  args: readonly string[],
  mode: 'run' | 'related' = 'run',
): TestCommand {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const begin = mode === 'run' ? ['run'] : ['related', '--run']
  return { command: [getBinPath(root, 'vitest'), ...begin, '--passWithNoTests', ...reporters, ...args] }
}
