import type { Hono } from 'hono'
import type { Env } from '../env.ts'

/** Mounts the routes of provider/camera. */
export function cameraRoutes(_app: Hono<{ Bindings: Env }>): void {}
