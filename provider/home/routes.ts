import type { Hono } from 'hono'
import type { Env } from '../env.ts'

/** Mounts the calls about homes, devices and events. */
export function homeRoutes(_app: Hono<{ Bindings: Env }>): void {}
