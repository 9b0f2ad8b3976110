package page_test

// This file moves the pointer and the fingers of a test.

import (
	"context"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

type action = chromedp.Action[chromedp.Void]

func mouse(all ...input.DispatchMouseEventParams) action {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		for _, p := range all {
			if _, err := chromedp.Call(ctx, input.DispatchMouseEvent, p); err != nil {
				return err
			}
		}
		return nil
	})
}

func hover(x, y float64) action {
	return mouse(input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: x, Y: y})
}

func wheel(x, y, delta float64) action {
	return mouse(input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: x, Y: y, DeltaX: 1e-9, DeltaY: delta}) // a DeltaX of 0 would be left out
}

func drag(x0, y0, x1, y1 float64) action {
	at := func(kind input.DispatchMouseEventType, x, y float64, down int64) input.DispatchMouseEventParams {
		return input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, Buttons: down, ClickCount: 1}
	}
	return mouse(at(input.DispatchMouseEventTypeMousePressed, x0, y0, 1), at(input.DispatchMouseEventTypeMouseMoved, (x0+x1)/2, (y0+y1)/2, 1),
		at(input.DispatchMouseEventTypeMouseMoved, x1, y1, 1), at(input.DispatchMouseEventTypeMouseReleased, x1, y1, 0))
}

// pinch spreads two fingers about a place.
func pinch(x, y float64) action {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		fingers := func(kind input.DispatchTouchEventType, apart ...float64) error {
			points := []*input.TouchPoint{}
			for i, d := range apart {
				id := float64(i)
				points = append(points, &input.TouchPoint{X: x + d, Y: y, ID: &id})
			}
			_, err := chromedp.Call(ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
			return err
		}
		for _, step := range []error{
			fingers(input.DispatchTouchEventTypeTouchStart, -20, 20), fingers(input.DispatchTouchEventTypeTouchMove, -40, 40),
			fingers(input.DispatchTouchEventTypeTouchMove, -70, 70), fingers(input.DispatchTouchEventTypeTouchEnd),
		} {
			if step != nil {
				return step
			}
		}
		return nil
	})
}

// withoutScripts switches JavaScript off in a tab.
var withoutScripts = chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	return err
})
