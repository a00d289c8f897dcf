/** The runtime's own module; its types come without the globals, which would clash with those of the browser. */
declare module 'cloudflare:workers' {
  import { CloudflareWorkersModule } from '@cloudflare/workers-types'
  export = CloudflareWorkersModule
}
