import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'prettier'
import { describe, expect, test } from 'vitest'
import { planParts } from '../../scripts/lib/test-plan.ts'
import { listTestFiles, selectTests } from '../../scripts/lib/test-selection.ts'

const root = new URL('../..', import.meta.url).pathname
const folder = join(root, '.github/workflows')
const workflowFiles = readdirSync(folder)
const readWorkflow = (file: string) => readFileSync(join(folder, file), 'utf8')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

const commands = workflowFiles.flatMap((file) =>
  [...readWorkflow(file).matchAll(/^\s+(?:- )?run: (.+)$/gm)].map(([, line = '']): [string, string] => [file, line]),
)

test('workflows exist for check, dependencies, nightly, preview, deploy, and release', () => {
  expect(workflowFiles.sort()).toEqual(
    ['check', 'dependencies', 'deploy', 'nightly', 'preview', 'release'].map((name) => `${name}.yml`),
  )
  expect(commands.length).toBeGreaterThan(workflowFiles.length)
})

describe.each(workflowFiles)('%s', (file) => {
  test('is valid YAML', async () => {
    expect(await format(readWorkflow(file), { parser: 'yaml' })).toContain('jobs:')
  })

  test('pins every action to a commit', () => {
    const used = [...readWorkflow(file).matchAll(/uses: (\S+)/g)].map(([, action]) => action)
    expect(used.length).toBeGreaterThan(0)
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
  })

  test('limits secrets to the steps that need them and has no write access to the repository', () => {
    expect(readWorkflow(file)).toMatch(/^permissions:\n {2}contents: read$/m)
  })
})

/**
 * Returns the fault of a command: the command is not allowed, or it names a script, option, test part or file that does
 * not exist. Returns null if there is no fault.
 */
function findFault(line: string): string | null {
  const [, name] = /^npm run (\S+)/.exec(line) ?? []
  if (name !== undefined) return findScriptFault(name, line)
  const [, part] = /^npm test (\S+)$/.exec(line) ?? []
  if (part !== undefined) return planParts([part]) === null ? `no part ${part}` : null
  const [, words] = /^npm test -- (.+)$/.exec(line) ?? []
  if (words !== undefined) return findUnmatchedWord(words.split(' '))
  const [, script] = /^bash (\S+)$/.exec(line) ?? []
  if (script !== undefined) return existsSync(join(root, script)) ? null : `no file ${script}`
  if (isReleaseCommand(line)) return null
  const allowedCommands =
    /^(sudo apt-get update && sudo apt-get install -y \w+|brew install \w+|rm -f \S+|npm audit --audit-level=high|npm ci --ignore-scripts|npm sbom --sbom-format cyclonedx > \S+|\(umask 077 && printf .+\))$/
  return allowedCommands.test(line) ? null : 'an unknown command'
}

/** Returns true for commands that only the release runs, with programs that are not part of the project. */
const isReleaseCommand = (line: string): boolean =>
  /^(npm pack|npm publish --access public porchlight-\*\.tgz|docker (build|push|buildx imagetools create) .+|printf '%s' "\$IMAGE_PASSWORD" \| docker login .+ --password-stdin .+|gh release create "\$GITHUB_REF_NAME" .+|echo "version=.+" >> "\$GITHUB_OUTPUT")$/.test(
    line,
  )

function findUnmatchedWord(words: readonly string[]): string | null {
  const unmatchedWord = words.find((word) => selectTests(root, listTestFiles(root), [word]).whole.length === 0)
  return unmatchedWord === undefined ? null : `no test file with ${unmatchedWord} in its name`
}

const helpByScript = new Map<string, ReturnType<typeof spawnHelp>>()
function getHelp(name: string) {
  const help = helpByScript.get(name) ?? spawnHelp(name)
  helpByScript.set(name, help)
  return help
}
const spawnHelp = (name: string) =>
  spawnSync('npm', ['run', '--silent', name, '--', '--help'], { cwd: root, encoding: 'utf8' })

function findScriptFault(name: string, line: string): string | null {
  if (!Object.keys(scripts).includes(name)) return `no script ${name}`
  const help = getHelp(name)
  if (help.status !== 0) return `${name} --help ended with ${help.status}`
  const missing = (line.match(/ --[a-z][\w-]*/g) ?? []).filter((option) => !help.stdout.includes(option.trim()))
  return missing.length > 0 ? `${name} does not know${missing.join('')}` : null
}

test.each(commands)('%s: %s runs only commands that exist', (_, line) => expect(findFault(line)).toBeNull())
