import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listChangedFiles, readFileAtBase } from '../../../scripts/lib/changes.ts'
import { FIRST_RUN_PREFIXES, planPlaywrightRuns } from '../../../scripts/lib/lanes.ts'
import { planAll, planChanged, planRequired, planParts, VITEST_PROJECTS } from '../../../scripts/lib/test-plan.ts'
import { findFilesWithRequirementIds, selectTests, createTitlePattern } from '../../../scripts/lib/test-selection.ts'
import { listSlowerFiles } from '../../../scripts/lib/times.ts'

const ALL_PROJECTS = [...VITEST_PROJECTS]
const pageProjects = ALL_PROJECTS.filter((project) => !['provider', 'bridge', 'scripts'].includes(project))
const workerProjects = [...pageProjects, 'provider']

describe('the gate', () => {
  test.each([
    ['a page', ['src/pages/live.astro'], pageProjects, ['provider', 'bridge', 'scripts']],
    ['the edge', ['functions/index.ts'], workerProjects, ['bridge', 'scripts']],
    ['the bridge', ['bridge/main.ts'], [...workerProjects, 'bridge'], ['scripts']],
    ['the ledger', ['provider/billing/ledger/billing-service.ts'], [...workerProjects, 'scripts'], ['bridge']],
    ['the contract', ['contract/live/live-calls.ts'], ALL_PROJECTS, []],
    ['the lockfile', ['package-lock.json'], ALL_PROJECTS, []],
    ['a support file of tests', ['tests/support/home.ts'], ALL_PROJECTS, []],
    ['a config file', ['vitest.config.ts'], ALL_PROJECTS, []],
  ])(
    'after a change of %s, runs all Worker and process tests only in projects that it affects',
    (_, changed, projects, rowsOnly) => {
      const plan = planRequired(changed)
      expect([[...plan.projects].sort(), plan.rowsOnly]).toEqual([[...projects].sort(), rowsOnly])
      expect(plan.browser).toBe('all')
      // The format and lint checks cover all files if the change can affect any test. Otherwise, they cover only
      // changed files.
      expect(plan.check).toEqual(rowsOnly.length > 0 ? ['--changed'] : [])
    },
  )

  test('runs long tests of the areas that the change touches', () => {
    expect(planRequired(['src/pages/live.astro']).tier).toEqual([])
    expect(planRequired(['provider/billing/pricing/tax.ts', 'scenes/render.ts']).tier).toEqual(['bridge', 'ledger'])
    expect(planRequired(null).tier).toEqual(['bridge', 'scripts', 'ledger'])
  })

  test('runs provider tests after a change of any file that they import', () => {
    const files = readdirSync('tests/provider', { recursive: true, encoding: 'utf8' })
    const imported = files
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFileSync(join('tests/provider', name), 'utf8'))
      .flatMap((text) => [...text.matchAll(/from '(?:\.\.\/)+((?!\.|support|tests|contract)[^']+)'/g)])
      .map(([, path = '']) => path)
    expect(imported.length).toBeGreaterThan(50)
    expect(imported.filter((path) => planRequired([path]).rowsOnly.includes('provider'))).toEqual([])
  })

  test('runs everything when the change is unknown', () => {
    expect(planRequired(null)).toMatchObject({ projects: ALL_PROJECTS, rowsOnly: [] })
    expect(planAll()).toMatchObject({
      projects: ALL_PROJECTS,
      rowsOnly: [],
      check: ['--all'],
      browser: 'all',
      tier: ['all'],
    })
  })
})

describe('--changed', () => {
  test.each([
    ['an island', ['src/islands/live/Grid.tsx'], [], 'all'],
    ['the edge', ['functions/index.ts'], ['edge'], 'all'],
    ['the provider', ['provider/index.ts'], ['edge', 'provider'], 'all'],
    ['a spec', ['tests/e2e/live.spec.ts'], [], ['live.spec.ts']],
    ['a unit test', ['tests/unit/money.test.ts'], [], 'none'],
    ['a document', ['README.md'], [], 'none'],
  ])('after a change of %s, runs the tests that reach it', (_, changed, projects, browser) => {
    expect(planChanged(changed)).toMatchObject({ projects, browser })
  })

  test('leaves tests that import a changed module to the runner', () => {
    expect(planChanged(['src/domain/billing/plan-cart.ts', 'docs/billing.md']).related).toEqual([
      'src/domain/billing/plan-cart.ts',
    ])
  })

  test('runs everything when a common file has changed', () => {
    expect(planChanged(['contract/live/live-calls.ts'])).toEqual(planRequired(null))
  })
})

test('named parts are recognized, and no other word is', () => {
  expect(planParts(['check', 'e2e'])).toMatchObject({ check: [], projects: [], browser: 'all' })
  expect([planParts(['cart']), planParts([])]).toEqual([null, null])
})

function createRepository(): {
  root: string
  git: (...args: string[]) => void
  write: (path: string, text?: string) => void
} {
  const root = mkdtempSync(join(tmpdir(), 'porchlight-changes-'))
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
  const git = (...args: string[]) => void execFileSync('git', [...identity, ...args], { cwd: root, stdio: 'ignore' })
  const write = (path: string, text = path) => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  git('init', '-b', 'main')
  write('first.txt')
  git('add', '.')
  git('commit', '-m', 'first')
  return { root, git, write }
}

describe('changed files', () => {
  test('are unknown at the first commit, and on main those since the parent, including uncommitted ones', () => {
    const { root, git, write } = createRepository()
    expect(listChangedFiles(root)).toBeNull()
    write('second.txt')
    git('add', '.')
    git('commit', '-m', 'second')
    write('third.txt')
    expect(listChangedFiles(root)).toEqual(['second.txt', 'third.txt'])
  })

  test('on a branch are those since it left main', () => {
    const { root, git, write } = createRepository()
    git('checkout', '-b', 'branch')
    for (const name of ['one.txt', 'two.txt']) {
      write(name)
      git('add', '.')
      git('commit', '-m', name)
    }
    write('first.txt', 'changed')
    expect(listChangedFiles(root)).toEqual(['first.txt', 'one.txt', 'two.txt'])
    expect(readFileAtBase(root, 'first.txt')).toBe('first.txt')
    expect(readFileAtBase(root, 'one.txt')).toBeNull()
  })

  test('are unknown without a repository', () => {
    expect(listChangedFiles(mkdtempSync(join(tmpdir(), 'porchlight-none-')))).toBeNull()
  })
})

test('words select tests by file name or title, and requirement rows by the start of a title', () => {
  const { root, write } = createRepository()
  write('tests/stores/cart.test.ts', `test('adds', () => {})`)
  write('tests/stores/plan.test.ts', `describe("the CART", () => { test.each([1])('CART-01 of %i', () => {}) })`)
  write('tests/stores/other.test.ts', `const cart = 1\ntest('adds', () => {})`)
  const files = ['tests/stores/cart.test.ts', 'tests/stores/other.test.ts', 'tests/stores/plan.test.ts']
  expect(selectTests(root, files, ['cart'])).toEqual({ whole: [files[0]], titled: [files[2]] })
  expect(findFilesWithRequirementIds(root, files)).toEqual([files[2]])
})

test('a title pattern ignores case and treats special characters literally', () => {
  const pattern = new RegExp(createTitlePattern(['cart', '$1.00 (net)']))
  expect(['the CART', 'Cart', 'costs $1.00 (Net)', 'card', '$1x00 (net)'].map((title) => pattern.test(title))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
})

describe('browser test lanes', () => {
  const specs = ['live.spec.ts', 'experiment.spec.ts', 'plans.spec.ts', 'events.spec.ts', 'search.spec.ts']
  const seconds: Record<string, number> = { 'live.spec.ts': 30, 'plans.spec.ts': 40, 'experiment.spec.ts': 5 }
  const lanes = planPlaywrightRuns(specs, (spec) => seconds[spec])

  test('contain each spec once, one-form pages in the first and the experiment in the second', () => {
    expect(lanes.flatMap((lane) => lane.specs).sort()).toEqual([...specs].sort())
    expect(lanes[0]?.specs).toContain('plans.spec.ts')
    expect(lanes[1]?.specs).toContain('experiment.spec.ts')
    expect(lanes.map(({ experiment }) => experiment !== null)).toEqual([false, true])
  })

  test('name only specs that exist, so that a rename cannot move a spec to the other lane', () => {
    const existing = readdirSync('tests/e2e').filter((name) => name.endsWith('.spec.ts'))
    expect(FIRST_RUN_PREFIXES.filter((start) => !existing.some((name) => name.startsWith(start)))).toEqual([])
  })

  test('take about the same time', () => {
    const loads = lanes.map((lane) => lane.specs.reduce((sum, spec) => sum + (seconds[spec] ?? 10), 0))
    expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(10)
  })

  test('exist only if they have something to do', () => {
    expect(planPlaywrightRuns(['plans.spec.ts'], () => 1)).toHaveLength(1)
  })
})

test('a file is slower if it takes half as long again, on a machine of any speed', () => {
  const times = { 'a.test.ts': 10, 'b.test.ts': 10, 'tiny.test.ts': 1 }
  const measured = new Map([
    ['a.test.ts', 32],
    ['b.test.ts', 28],
    ['tiny.test.ts', 6],
    ['new.test.ts', 100],
  ])
  expect(listSlowerFiles(times, measured, 2)).toEqual(['slower: a.test.ts took 16 s, up from 10 s'])
})
