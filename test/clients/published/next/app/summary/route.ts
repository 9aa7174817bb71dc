import { isPosternError } from '@posternhq/postern/client';
import { NextResponse } from 'next/server';
import { postern } from '../../postern';

export async function GET(): Promise<NextResponse> {
  try {
    return NextResponse.json(await postern.posture.getSummary.query());
  } catch (error) {
    if (!isPosternError(error)) throw error;
    return NextResponse.json({ failure: error.data.failure }, { status: error.data.httpStatus });
  }
}
