import { Component, type ReactNode } from 'react';
import { Attempt } from '#ui/lib/attempt.ts';
import { countReconnects, onReconnect } from '#ui/lib/connection.ts';
import { MissingError } from '#ui/lib/server-error.ts';
import { ErrorState } from './error-state.tsx';

/** See {@link ErrorBoundary}. */
export interface ErrorBoundaryProps {
  /** What is said when the region fails: `The trace could not be shown`. */
  readonly fallbackTitle: string;
  readonly children: ReactNode;
  /** A failed region is tried again when this changes: the id of what it shows. */
  readonly resetKey?: string | undefined;
  /** Says the failure in the region's place; unless given, an {@link ErrorState} does. */
  readonly renderFailure?: (error: unknown, retry: () => void) => ReactNode;
  /** Stands here where what the region shows is not there. Unless given, that is a failure like any other. */
  readonly missing?: ReactNode;
}

interface State {
  /** Wrapped, because anything can be thrown, undefined too. */
  readonly failure: { readonly error: unknown } | undefined;
  readonly resetKey: string | undefined;
  readonly attempt: number;
}

/** Keeps a failure to the region inside. One around every region that can fail by itself. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { failure: undefined, resetKey: this.props.resetKey, attempt: 0 };
  private stopWaiting: (() => void) | undefined;
  /** How often the server had answered again when the region was tried. */
  private reconnectsBefore = countReconnects();

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failure: { error } };
  }

  static getDerivedStateFromProps({ resetKey }: ErrorBoundaryProps, state: State): Partial<State> | null {
    return resetKey === state.resetKey ? null : { failure: undefined, resetKey };
  }

  override componentDidMount(): void {
    this.stopWaiting = onReconnect(() => {
      if (this.state.failure !== undefined) this.retry();
    });
  }

  /** On a slow computer a failure shows after the server has answered again, and nobody would be told of that a second time. */
  override componentDidCatch(): void {
    if (this.reconnectsBefore !== countReconnects()) this.retry();
  }

  override componentWillUnmount(): void {
    this.stopWaiting?.();
  }

  private readonly retry = (): void => {
    this.reconnectsBefore = countReconnects();
    this.setState(({ attempt }) => ({ failure: undefined, attempt: attempt + 1 }));
  };

  override render(): ReactNode {
    const { failure, attempt } = this.state;
    if (failure === undefined) return <Attempt value={attempt}>{this.props.children}</Attempt>;
    const { fallbackTitle, renderFailure, missing } = this.props;
    if (missing !== undefined && failure.error instanceof MissingError) return missing;
    if (renderFailure !== undefined) return renderFailure(failure.error, this.retry);
    return <ErrorState title={fallbackTitle} error={failure.error} onRetry={this.retry} />;
  }
}
