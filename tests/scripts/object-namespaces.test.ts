import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = new URL('../..', import.meta.url).pathname

/** Returns the lines of both Workers that choose a Durable Object by its name, or create one. */
const listObjectChoices = (): string[] =>
  globSync('{provider,functions}/**/*.ts', { cwd: root })
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .filter((line) => /\.(?:getByName|idFromName|newUniqueId)\(/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )
    .sort()

/** An object that is chosen from another namespace has another id, and its data may be stored anywhere. */
test('all Durable Objects are chosen from the namespace in the deployment’s jurisdiction', () => {
  expect(listObjectChoices()).toEqual([
    'functions/lib/auth/session-access.ts: return sessions.get(sessions.idFromName(id))',
    'functions/routes/sessions.ts: const object = getSessionNamespace(c).idFromName(id).toString()',
    'functions/routes/sessions.ts: return lists.get(lists.idFromName(userId))',
    'provider/platform/objects.ts: return restrictNamespace(namespace, env.JURISDICTION).getByName(name) as ObjectStub<K>',
  ])
})
