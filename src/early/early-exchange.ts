/** A request that the document itself has made, on its way or answered. */
export interface EarlyExchange {
  readonly method: string
  readonly url: string
  /** The body as it was sent, '' for none. */
  readonly body: string
  /** ms UTC */
  readonly at: number
  /** The handle that this browser kept then, '' for none. */
  readonly token: string
  /** How long the answer took, once it is there. */
  ms?: number
  /** Rejected where no answer arrived. */
  readonly answer: Promise<{ readonly status: number; readonly text: string }>
}

/** A socket that the document of /live has opened, and what it has said meanwhile. */
export interface EarlySocket {
  readonly socket: WebSocket
  readonly missed: MessageEvent<unknown>[]
}

declare global {
  interface Window {
    /** What the document has asked and nobody has taken yet. */
    early?: EarlyExchange[]
    /** By address. */
    earlySockets?: Map<string, EarlySocket>
    /** The largest pictures of the first screen, on their way before anything is drawn. */
    pictures?: HTMLImageElement[]
  }
}
