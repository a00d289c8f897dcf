import { afterAll, vi } from 'vitest'

/** All test files of a process share one jsdom. This setup gives each file its own modules and a clean page. */
vi.resetModules()
const restoreGlobals = watchGlobals()
const stopListening = watchListeners([window, document])
const stopTimers = watchTimers()
replaceAnimationFrames()
// A new history entry removes the forward history that the previous test file left.
const { href } = location
history.pushState(null, '', href)

afterAll(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  stopListening()
  await finishTraversals()
  stopTimers()
  restoreGlobals()
  for (const storage of [localStorage, sessionStorage]) storage.clear()
  for (const pair of document.cookie.split('; ')) document.cookie = `${pair.split('=')[0]}=; max-age=0; path=/`
  history.replaceState(null, '', href)
  for (const { name } of [...document.documentElement.attributes]) document.documentElement.removeAttribute(name)
  document.head.replaceChildren()
  document.body.replaceWith(document.createElement('body'))
})

/** Waits for pending history traversals. Traversals run in order, so this function adds one more and waits for it. */
async function finishTraversals(): Promise<void> {
  history.pushState(null, '', href)
  const traversal = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }))
  history.back()
  await traversal
}

/**
 * Returns a function that removes globals that the test file adds, for example `matchMedia`, and restores the others.
 * Names of the `Window` interface are accessors, which keep an assigned value to themselves: it is compared and
 * assigned as a value.
 */
function watchGlobals(): () => void {
  const globals = globalThis as unknown as Record<string, unknown>
  const originals = Object.getOwnPropertyDescriptors(globals)
  const originalValues = new Map(Object.keys(originals).map((name) => [name, globals[name]]))
  return () => {
    for (const name of Object.getOwnPropertyNames(globals)) {
      const original = originals[name]
      if (name.startsWith('__') || (original && Object.is(globals[name], originalValues.get(name)))) continue
      if (original) Object.defineProperty(globals, name, original)
      else delete globals[name]
      if (original?.set) globals[name] = originalValues.get(name)
    }
  }
}

type ListenerArguments = Parameters<EventTarget['addEventListener']>

function watchListeners(targets: readonly EventTarget[]): () => void {
  const undo: (() => void)[] = []
  for (const target of targets) {
    const listen = target.addEventListener
    target.addEventListener = (...listener: ListenerArguments) => {
      undo.push(() => target.removeEventListener(...listener))
      listen.apply(target, listener)
    }
    undo.push(() => (target.addEventListener = listen))
  }
  return () => undo.forEach((step) => step())
}

function watchTimers(): () => void {
  const { setTimeout: originalSetTimeout, setInterval: originalSetInterval } = globalThis
  const timers: ReturnType<typeof setTimeout>[] = []
  const recordTimers =
    (start: (run: () => void, ms?: number, ...args: unknown[]) => ReturnType<typeof setTimeout>) =>
    (...args: Parameters<typeof start>) => {
      const timer = start(...args)
      timers.push(timer)
      return timer
    }
  Object.assign(globalThis, {
    setTimeout: recordTimers(originalSetTimeout),
    setInterval: recordTimers(originalSetInterval),
  })
  return () => {
    timers.forEach(clearTimeout)
    Object.assign(globalThis, { setTimeout: originalSetTimeout, setInterval: originalSetInterval })
  }
}

/**
 * Runs animation frames by timers of the test file. jsdom runs them by an interval of its own; if fake timers or
 * `stopTimers` remove that interval, no frame runs in the later files of the process.
 */
function replaceAnimationFrames(): void {
  const FRAME_MS = 16
  Object.assign(globalThis, {
    requestAnimationFrame: (callback: FrameRequestCallback) =>
      Number(setTimeout(() => callback(performance.now()), FRAME_MS)),
    cancelAnimationFrame: (handle: number) => clearTimeout(handle),
  })
}
